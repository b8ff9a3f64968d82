ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /aisle
COPY .npmrc package.json package-lock.json ./
COPY client/package.json client/
COPY client/bin client/bin
# The image brings its own Node, so the packages that bring one are left out.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/data/compiled \
    MALLOC_MMAP_THRESHOLD_=65536
WORKDIR /aisle
COPY --from=packages /aisle/node_modules node_modules
COPY package.json ./
COPY client client
COPY docs docs
COPY index-mappings index-mappings
COPY src src
RUN install --directory --owner=node --group=node /data
USER node
VOLUME /data
EXPOSE 3000
# `starting` is an answer too: healthy is what serves requests.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/api/status`).then((answer) => answer.text()).then((text) => process.exit(text === 'ok' ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=0", "src/start.js"]
