"""
OpenStack Swift with its S3 API on one device, in one process: the proxy, and a server each for accounts, containers and
objects. Prints "ready" once all of them listen.

Arguments: a folder, four ports (proxy, account, container, object), an access key ID, a secret.
"""

import os
import sys

import eventlet
from eventlet import wsgi

folder = sys.argv[1]
proxy_port, *server_ports = map(int, sys.argv[2:6])
key_id, secret = sys.argv[6:8]
ports = dict(zip(("account", "container", "object"), server_ports))


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)
write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n")

from swift.common import utils  # noqa: E402

utils.set_swift_dir(folder)

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

reload_storage_policies()
os.makedirs(os.path.join(folder, "devices", "one"), exist_ok=True)

common = f"""[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
log_level = ERROR
"""
filters = (
    "catch_errors gatekeeper healthcheck memcache listing_formats bulk s3api tempauth copy slo dlo "
    "versioned_writes symlink"
).split()
sections = "".join(f"[filter:{name}]\nuse = egg:swift#{name}\n" for name in filters)
# "test:key" in the S3 API.
account, user = key_id.split(":")
sections = sections.replace("#tempauth\n", f"#tempauth\nuser_{account}_{user} = {secret} .admin\n")
configurations = {
    "proxy": f"""{common}
[pipeline:main]
pipeline = {" ".join(filters)} proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
{sections}"""
}
for kind, port in ports.items():
    ring = RingBuilder(4, 1, 1)
    ring.add_dev(
        {
            "id": 0,
            "region": 1,
            "zone": 1,
            "ip": "127.0.0.1",
            "port": port,
            "replication_ip": "127.0.0.1",
            "replication_port": port,
            "device": "one",
            "weight": 1.0,
            "meta": "",
        }
    )
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, f"{kind}.ring.gz"))
    configurations[kind] = f"""{common}
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""


class Silent:
    def write(self, text):
        pass


servers = []
for kind, text in configurations.items():
    app = loadapp(write(f"{kind}-server.conf", text))
    listener = eventlet.listen(("127.0.0.1", ports.get(kind, proxy_port)), backlog=256)
    servers.append(
        eventlet.spawn(wsgi.server, listener, app, Silent(), protocol=SwiftHttpProtocol)
    )
print("ready", flush=True)
for server in servers:
    server.wait()
