# Stands in for node:24-slim where no image registry can be reached.
FROM aisle-debian
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/npm
RUN ln -s /usr/local/lib/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
