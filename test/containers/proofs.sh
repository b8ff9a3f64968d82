# Sourced by run.sh: one function a proof, each failing with the command that failed.

export ELASTICSEARCH_IMAGE=aisle-elasticsearch
# Its helper image cannot be had without a registry.
export TESTCONTAINERS_RYUK_DISABLED=true

compose() { docker compose --project-name aisle-proof "$@"; }

# docker-compose.yml: both services become healthy, answer, and keep their data.
prove_compose() {
  local key=proof-operator-key-of-at-least-32-characters
  local address=http://127.0.0.1:13000
  export PORT=13000 ELASTICSEARCH_PORT=19200 BOOTSTRAP_API_KEY=$key PUBLIC_URL=$address
  compose_up
  [ "$(compose exec --no-TTY aisle id --user)" = 1000 ]
  [ "$(compose exec --no-TTY elasticsearch id --user)" = 1000 ]
  ask() { curl --retry 10 --fail-with-body --silent --show-error --header "authorization: Bearer $key" \
    --header 'x-api-version: 6.0' "$@"; }
  ask --output /dev/null --header 'content-type: application/json' \
    --data '{"id":"proof","name":"Proof"}' "$address/api/organizations"
  compose_down
  compose_up
  ask "$address/api/organizations" | grep --quiet '"proof"'
  compose_down --volumes
  compose up --detach --wait elasticsearch
  curl --fail --silent --output /dev/null http://127.0.0.1:19200/_cluster/health
  compose_down --volumes
  unset PORT ELASTICSEARCH_PORT BOOTSTRAP_API_KEY PUBLIC_URL
}

compose_up() {
  compose --progress quiet up --detach --wait && return
  compose logs --tail 20 >&2
  compose_down --volumes
  return 1
}

compose_down() { compose --progress quiet down "$@"; }

# `npm start` on a machine with Docker and nothing else: see docker-provider.ts.
prove_provider() { node test/containers/docker-provider.ts; }

# The whole test suite on containers that testcontainers starts.
prove_suite() { env -u ELASTICSEARCH_URL npm test; }
