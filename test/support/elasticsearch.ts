import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    elasticsearch: { node: string }
    indexPrefix: string
  }
}

export default async function setup(project: TestProject) {
  const node = process.env.ELASTICSEARCH_URL!
  const prefix = `test-${randomBytes(4).toString('hex')}`
  project.provide('elasticsearch', { node })
  project.provide('indexPrefix', prefix)
  return async () => {
    const found = await fetch(`${node}/_cat/indices/${prefix}-*?h=index`).then((r) => r.text())
    for (const index of found.split('\n').filter(Boolean)) {
      await fetch(`${node}/${index}`, { method: 'DELETE' })
    }
    await fetch(`${node}/_index_template/${prefix}-*`, { method: 'DELETE' })
  }
}
