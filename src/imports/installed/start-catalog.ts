import { openCatalog } from '../../catalogs/store.ts'
import { Failure, Invalid } from '../../errors.ts'
import { type Installed, isFor } from '../../extensions/installation.ts'
import { visibleInstallations } from '../../extensions/store.ts'
import type { Context } from '../../operation.ts'
import { type ActionResponse, done } from '../../shapes.ts'
import { startInstalled } from './start.ts'

/** Whether an import is for that catalog; `usual` is the default catalog of the organization. */
const goesInto = (catalog: string, usual: string | null) => (installed: Installed) =>
  (installed.settings.catalog ?? usual) === catalog && isFor(installed, catalog)

/**
 * Queues the imports of all enabled import extensions of a catalog. One that cannot start does not
 * affect the others. Throws NotFound, and Invalid when none could start.
 */
export async function startCatalogImports(ctx: Context, name: string): Promise<ActionResponse> {
  const catalog = await openCatalog(ctx, name)
  const installed = await visibleInstallations(ctx, { kind: 'import', enabled: true })
  const wanted = installed.filter(goesInto(catalog.name, ctx.organization.defaultCatalog))
  if (wanted.length === 0) return done('No import extension is enabled for this catalog.')
  const tasks: string[] = []
  const problems: string[] = []
  for (const { id, extension, settings } of wanted) {
    try {
      tasks.push((await startInstalled(ctx, id)).id)
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error
      problems.push(`${settings.nickname ?? extension}: ${error.message}`)
    }
  }
  if (tasks.length === 0) throw new Invalid(problems.join('; '))
  const queued = tasks.length === 1 ? '1 import is queued.' : `${tasks.length} imports are queued.`
  return done([queued, ...problems].join(' '), { taskId: tasks[0]! })
}
