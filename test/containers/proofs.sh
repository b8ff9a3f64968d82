# Sourced by run.sh: one function for each test, which fails with the command that failed.

export ELASTICSEARCH_IMAGE=aisle-elasticsearch
# Its helper image is not available without a registry.
export TESTCONTAINERS_RYUK_DISABLED=true

compose() { docker compose --project-name aisle-proof "$@"; }

# docker-compose.yml: both services become healthy, answer at once, and keep their data; settings
# reach the service, those that are absent do not, and addresses in answers follow PORT.
prove_compose() {
  local key=proof-operator-key-of-at-least-32-characters
  local address=http://127.0.0.1:13000
  export PORT=13000 ELASTICSEARCH_PORT=19200 BOOTSTRAP_API_KEY=$key OUTBOUND_ALLOW=erp.example
  compose_up
  [ "$(compose exec --no-TTY aisle id --user)" = 1000 ]
  [ "$(compose exec --no-TTY elasticsearch id --user)" = 1000 ]
  [ "$(compose exec --no-TTY aisle printenv OUTBOUND_ALLOW)" = erp.example ]
  if compose exec --no-TTY aisle printenv DEMO; then return 1; fi
  ask() { curl --fail-with-body --silent --show-error --header "authorization: Bearer $key" \
    --header 'x-api-version: 6.0' "$@"; }
  ask --output /dev/null --header 'content-type: application/json' \
    --data '{"id":"proof","name":"Proof"}' "$address/api/organizations"
  ask --header 'x-organization: proof' --data-binary one "http://localhost:13000/api/files?name=one" |
    grep --quiet "\"http://localhost:13000/api/files/"
  compose stop aisle
  compose run --rm --no-TTY aisle node src/migrate.ts | grep --quiet 'all indices have the current'
  compose_down
  compose_up
  ask "$address/api/organizations" | grep --quiet '"proof"'
  compose_down --volumes
  compose up --detach --wait elasticsearch
  curl --fail --silent --output /dev/null http://127.0.0.1:19200/_cluster/health
  compose_down --volumes
  unset PORT ELASTICSEARCH_PORT BOOTSTRAP_API_KEY OUTBOUND_ALLOW
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
