/**
 * A minimal service for lifecycle tests: starts the engine of a data folder, and stops on SIGTERM.
 */
import { provideElasticsearch } from '../../src/engine/provider.ts'
import { openDataFolder } from '../../src/platform/data-folder.ts'

const dataDir = process.argv[2]!
const tell = (event: string, text: string) => console.log(JSON.stringify({ event, text }))

try {
  const folder = await openDataFolder(dataDir)
  const engine = await provideElasticsearch(
    { dataDir, image: 'elasticsearch:9.5.3' },
    { order: ['embedded'], say: (line) => tell('say', line) },
  )
  engine.exited.then((sentence) => {
    tell('exited', sentence)
    process.exit(1)
  })
  process.on('SIGTERM', async () => {
    await engine.stop()
    await folder.release()
    process.exit(0)
  })
  tell('node', engine.node)
} catch (error) {
  tell('failed', error instanceof Error ? error.message : String(error))
  process.exit(1)
}
