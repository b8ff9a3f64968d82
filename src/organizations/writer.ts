import type { Elastic } from '../elastic/client.ts'
import {
  type CoalescingWriter,
  createCoalescingWriter,
  documentIn,
} from '../elastic/coalescing-writer.ts'
import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { PublicContext } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type Organization, textLength } from './organization.ts'
import { forgetOrganization, organizationsOf } from './store.ts'

const writerOf = memoizeWeak<Elastic, CoalescingWriter<Organization>>(() =>
  createCoalescingWriter(),
)

/**
 * Changes an organization and returns it. If `change` throws, only this change is dropped. Throws
 * NotFound.
 */
export async function changeOrganization(
  ctx: PublicContext,
  id: string,
  change: (organization: Organization) => Organization | Promise<Organization>,
): Promise<Organization> {
  const stored = documentIn(organizationsOf(ctx), id, { refresh: true })
  const document: typeof stored = {
    ...stored,
    async write(next, at) {
      try {
        await stored.write(next, at)
      } finally {
        // Needed also when the answer was lost, since the change may be stored.
        forgetOrganization(ctx, next!, at!.source)
      }
    },
  }
  const changed = async (found: Organization | undefined) => {
    if (!found) throw new NotFound('Organization')
    const after = await change(found)
    checkGrowth(found, after)
    ctx.noteChange?.({ owner: id, before: found, after })
    return after
  }
  return (await writerOf(ctx.elastic).change(document, changed, ctx.signal))!
}

/** Each request of its users reads an organization, so one that becomes too large throws Invalid. */
function checkGrowth(before: Organization, after: Organization): void {
  const length = textLength(after)
  if (length <= limits.organizationCharacters || length <= textLength(before)) return
  throw new Invalid(
    `The names of the users and the configurations of the organization would have more than ${limits.organizationCharacters} characters together.`,
  )
}
