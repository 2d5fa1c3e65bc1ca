/**
 * The script that sites include, below 2 KB as it is sent. It takes the click id from the URL, and stores nothing until the
 * visitor has agreed: the site calls `fuxi.consent(true)`, or declares with `data-consent="granted"` that it needs no consent.
 * Until then, the id lives only as long as the page.
 *
 *     <script defer src="https://fuxi.example/api/track/script.js" data-key="fuxi_pk_…"></script>
 *     fuxi.lead({ eventName: "Sign up", customerExternalId: "user-1" })
 */
export const trackScript = `(() => {
const s = document.currentScript, o = s.dataset, name = "dub_id", days = 90;
const valid = (id) => /^\\d{13}-[\\da-f-]{36}$/.test(id) ? id : "";
let agreed = o.consent === "granted";
let id = valid(new URLSearchParams(location.search).get(name) || "");
const write = (value, age) => {
  document.cookie = name + "=" + value + ";path=/;samesite=lax;max-age=" + age
    + (location.protocol === "https:" ? ";secure" : "") + (o.domain ? ";domain=" + o.domain : "");
};
const read = () => valid((document.cookie.match(/(?:^|; )dub_id=([^;]*)/) || [])[1] || "");
const keep = () => {
  if (!agreed) return;
  if (id) write(id, days * 86400);
  else id = read();
};
const post = async (what, fields) => {
  const answer = await fetch(new URL("/api/track/" + what + "/client", s.src), {
    method: "POST",
    keepalive: true,
    body: JSON.stringify({ publicKey: o.key, clickId: id, ...fields }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  return body;
};
keep();
window.fuxi = {
  get clickId() { return id; },
  consent(given) {
    agreed = given;
    if (given) keep();
    else write("", 0);
  },
  lead: (fields) => post("lead", fields),
  sale: (fields) => post("sale", fields),
};
dispatchEvent(new Event("fuxi:ready"));
})();
`;
