import type { CatalogScope } from '../catalogs/store.ts'
import { Unavailable } from '../errors.ts'
import type { ExtensionOf } from '../extensions/contract.ts'
import { checkGiven } from '../extensions/field-values.ts'
import { type Installed, isFor } from '../extensions/installation.ts'
import { loggedRun, type Summary } from '../extensions/using.ts'
import type { RealtimeResponse } from '../extensions/wire.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inTime } from '../platform/in-time.ts'
import { token } from '../text.ts'
import { late } from './call.ts'
import { type Matching, matchItems } from './matching.ts'
import { registeredOf } from './revision.ts'
import type { Question, Reply, Vendor } from './vendor.ts'

type Realtime = ExtensionOf<'realtime'>

interface Known {
  /** Of `revisionOf`. */
  readonly revision: string
  /** Where somebody has read it already. */
  readonly extension?: Realtime
  /** Of which kind of run the log tells. */
  readonly action: string
}

/** An installed extension as a vendor; nothing more of it is read before it is asked. */
export function vendorOf(installed: Installed, { revision, extension, action }: Known): Vendor {
  const { id, organization, level, username, settings } = installed
  const name = settings.vendor ?? settings.nickname ?? installed.extension
  return {
    key: token(organization, id, revision),
    name,
    actor: username,
    isFor: (catalog) => isFor(installed, catalog),
    // A nickname or an id may be what another vendor is called.
    mayStoreIn: ({ owner }: CatalogScope) =>
      settings.vendor !== null && level === 'organization' && owner === organization,
    async ask(ctx, question) {
      const found = extension ?? (await registeredOf(ctx, installed))
      return run(ctx, { name, installed, extension: found, question, action })
    },
  }
}

interface Run {
  readonly name: string
  readonly installed: Installed
  readonly extension: Realtime
  readonly question: Question
  readonly action: string
}

type Ran = Reply & Pick<Matching, 'strangers' | 'faults'>

const NAMED = 10
const FAULTS = 3
const FAULT_LENGTH = 200

/** Resolves with the answer; the log of the run is written meanwhile. */
function run(ctx: Context, { name, installed, extension, question, action }: Run): Promise<Ran> {
  const { promise, resolve, reject } = Promise.withResolvers<Ran>()
  const { products, fields, workspace } = question
  const request = { additionalFields: fields, products, workspace }
  ctx.background.run('ask a vendor', () =>
    loggedRun(
      ctx,
      { extension, installed, action },
      {
        async work(functions, opened) {
          checkGiven(extension.manifest, 'additionalFields', fields)
          const asking = functions.run({ ctx, installed: opened, request })
          const response = await inTime(asking, limits.realtimeMs, () => late(name))
          const ran = replyOf(name, { response, question, noStore: extension.manifest.noStore })
          resolve(ran)
          return ran
        },
        summarise: summaryOf,
      },
    ).catch(reject),
  )
  return promise
}

interface Answer {
  readonly response: RealtimeResponse
  readonly question: Question
  readonly noStore: boolean
}

/** Throws Unavailable for an answer that is none. */
function replyOf(name: string, { response, question, noStore }: Answer): Ran {
  const { success, error, items } = response
  if (!success) throw new Unavailable(error || `${name} answered that it failed.`)
  if (items.length > limits.realtimeItems) {
    throw new Unavailable(`${name} answered more than ${limits.realtimeItems} items.`)
  }
  return { ...matchItems(question.products, items), noStore }
}

function summaryOf({ outcomes, strangers, faults }: Ran): Summary {
  const answered = outcomes.filter(({ item }) => item !== null).length
  const ignored =
    strangers.length === 0 ? '' : ` Not asked for: ${strangers.slice(0, NAMED).join(', ')}.`
  const refused = faults.slice(0, FAULTS).map((fault) => ` ${fault.slice(0, FAULT_LENGTH)}`)
  return {
    message: `${answered} of ${outcomes.length} products answered.${ignored}${refused.join('')}`,
    counts: { productCount: outcomes.length, productsSkipped: outcomes.length - answered },
  }
}
