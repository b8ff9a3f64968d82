#!/usr/bin/env bash
# Runs the tour of README.md: AISLE=http://127.0.0.1:3000 KEY=<operator key> bash examples/tour.sh
set -euo pipefail
: "${AISLE:?set AISLE to the address of the service}" "${KEY:?set KEY to the operator key}"

# Run every sh block but the first, which sets AISLE and KEY.
source <(awk '/^```sh$/ { block++; inside = 1; next } /^```$/ { inside = 0 } inside && block > 1' \
  "$(dirname "${BASH_SOURCE[0]}")/../README.md")
