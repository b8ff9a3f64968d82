import { setTimeout } from 'node:timers/promises'
import { openCatalog } from '../catalogs/store.ts'
import { Invalid } from '../errors.ts'
import { lengthOf } from '../extensions/large-values.ts'
import { sharedValuesReader } from '../extensions/open-values.ts'
import type { ReadyExtension } from '../extensions/run-extension.ts'
import { runSubject } from '../extensions/run-subject.ts'
import type { ExtensionRunRequest } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import { readCatalogProducts, uniqueReferences } from '../products/references.ts'
import { askVendors, type Inquiry, type VendorAnswer } from './ask-vendors.ts'
import { allVendorsAnswer, type NamedProduct, oneVendorAnswer } from './responses.ts'
import type { RealtimeAllAnswer, RealtimeAnswer } from './schemas.ts'
import { usableVendors, vendorOf } from './vendors.ts'

/** Milliseconds that an answer waits for its offers to be stored. */
const STORED_MS = 300

/** Asks every vendor that the caller may use. Throws like subjectOf. */
export async function runAll(ctx: Context, body: ExtensionRunRequest): Promise<RealtimeAllAnswer> {
  const subject = await subjectOf(ctx, body)
  const readShared = sharedValuesReader(ctx)
  const vendors = await usableVendors(ctx, readShared)
  const { products } = subject
  if (products.length * vendors.length > limits.realtimePairs) {
    const most = Math.floor(limits.realtimePairs / vendors.length)
    throw new Invalid(`products: at most ${most} at once for ${vendors.length} vendors`)
  }
  const length = lengthOf(body.additionalFields)
  if (length * vendors.length > limits.realtimeGiven) {
    const most = Math.floor(limits.realtimeGiven / vendors.length)
    throw new Invalid(
      `additionalFields: at most ${most} characters in total for ${vendors.length} vendors; shorten them, or run the vendors one by one`,
    )
  }
  const answers = await answersOf(ctx, { vendors, readShared, ...subject }, body)
  return inSteps(allVendorsAnswer(products, answers))
}

/** Asks one vendor. Throws like subjectOf. */
export async function runOne(
  ctx: Context,
  ready: ReadyExtension<'realtime'>,
  body: ExtensionRunRequest,
): Promise<RealtimeAnswer> {
  const subject = await subjectOf(ctx, body)
  const readShared = sharedValuesReader(ctx)
  const vendors = [await vendorOf(ready, readShared)]
  return oneVendorAnswer(
    subject.products,
    await answersOf(ctx, { vendors, readShared, ...subject }, body),
  )
}

interface Subject {
  readonly products: readonly NamedProduct[]
  /** The id of its workspace. */
  readonly workspace: string | null
}

/**
 * The products that a request names, and those of its workspace, each once and in that order.
 * Throws Invalid for none or too many, NotFound for an unknown catalog or workspace.
 */
async function subjectOf(ctx: Context, body: ExtensionRunRequest): Promise<Subject> {
  if (body.products.length === 0 && body.workspace === null) {
    throw new Invalid('products: send at least one, or a workspace')
  }
  const { named, lines, workspace } = await runSubject(ctx, body)
  await Promise.all(named.map(({ catalog }) => openCatalog(ctx, catalog)))
  const wanted = uniqueReferences([...named, ...lines])
  if (wanted.length > limits.idsPerRequest) {
    throw new Invalid(
      `products: more than ${limits.idsPerRequest}, including those of the workspace`,
    )
  }
  const found = await readCatalogProducts(ctx, wanted)
  return {
    products: wanted.map(({ catalog, productId: id }, at) => ({ catalog, id, asked: found[at] })),
    workspace,
  }
}

/** Waits until the answers are stored, unless that takes long, so that a later read finds them. */
async function answersOf(
  ctx: Context,
  { products, ...asked }: Subject & Pick<Inquiry, 'vendors' | 'readShared'>,
  { additionalFields }: ExtensionRunRequest,
): Promise<VendorAnswer[]> {
  const answers = await askVendors(ctx, {
    action: 'run',
    additionalFields,
    ...asked,
    products: products.flatMap(({ asked }) => (asked ? [asked] : [])),
  })
  const stored = Promise.all(new Set(answers.map((answer) => answer.stored)))
  await Promise.race([stored, setTimeout(STORED_MS)])
  return answers
}
