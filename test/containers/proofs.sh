# Sourced by run.sh: one function a proof, each failing with the command that failed.

export ELASTICSEARCH_IMAGE=aisle-elasticsearch
# Its helper image cannot be had without a registry.
export TESTCONTAINERS_RYUK_DISABLED=true

# docker-compose.yml: both services become healthy, answer, and keep their data.
prove_compose() {
  local compose=(docker compose --project-name aisle-proof)
  local key=proof-operator-key-of-at-least-32-characters
  local address=http://127.0.0.1:13000
  export PORT=13000 ELASTICSEARCH_PORT=19200 BOOTSTRAP_API_KEY=$key PUBLIC_URL=$address
  trap '"${compose[@]}" down --volumes > /dev/null 2>&1' RETURN
  "${compose[@]}" up --detach --wait --quiet-pull
  [ "$("${compose[@]}" exec --no-TTY aisle id --user)" = 1000 ]
  [ "$("${compose[@]}" exec --no-TTY elasticsearch id --user)" = 1000 ]
  curl --fail --silent "$address/api/status"
  echo
  curl --fail --silent --output /dev/null --header "authorization: Bearer $key" \
    --header 'x-api-version: 6.0' --json '{"id":"proof","name":"Proof"}' "$address/api/organizations"
  "${compose[@]}" down > /dev/null 2>&1
  "${compose[@]}" up --detach --wait --quiet-pull
  curl --fail --silent --header "authorization: Bearer $key" --header 'x-api-version: 6.0' \
    "$address/api/organizations" | grep --quiet proof
  unset PORT ELASTICSEARCH_PORT BOOTSTRAP_API_KEY PUBLIC_URL
}

# `npm start` on a machine with Docker and nothing else: see docker-provider.ts.
prove_provider() { node test/containers/docker-provider.ts; }

# The whole test suite on containers that testcontainers starts.
prove_suite() { env -u ELASTICSEARCH_URL npm test; }
