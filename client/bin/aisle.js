#!/usr/bin/env node
import { existsSync } from 'node:fs'

// In a clone of the repository Node runs the sources, whatever was built; the package has none.
const source = new URL('../src/cli/main.ts', import.meta.url)
const { href } = existsSync(source) ? source : new URL('../dist/cli/main.js', import.meta.url)
await import(href)
