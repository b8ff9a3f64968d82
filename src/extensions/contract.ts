import type { z } from 'zod'
import type { Context } from '../operation.ts'
import type { Product } from '../products/product.ts'
import type { FieldDefinition } from './fields.ts'
import type { Mapping } from './mapping.ts'
import type {
  ExtensionLinksResponse,
  ExtensionOptionsRequest,
  ExtensionOptionsResponse,
  ExtensionRunResponse,
  PossibleMatchesResponse,
  RealtimeResponse,
  RecommendationResponse,
} from './schemas.ts'

import type {
  Preview as PreviewSchema,
  Problem as ProblemSchema,
  Sample as SampleSchema,
} from './trial-schemas.ts'

export const EXTENSION_KINDS = ['import', 'export', 'realtime', 'recommendation'] as const
export type ExtensionKind = (typeof EXTENSION_KINDS)[number]

/** Functions that an extension may have; `run` is required. */
export const EXTENSION_CALLS = [
  'validate',
  'sample',
  'options',
  'run',
  'links',
  'possibleMatches',
] as const
export type ExtensionCall = (typeof EXTENSION_CALLS)[number]

/** `one`: offers of the installation's vendor only; `all`: offers of all vendors that rows name. */
export const VENDORS = ['one', 'all'] as const
export type Vendors = (typeof VENDORS)[number]

/** The description of an extension: built in, or read from a remote address. */
export interface Manifest {
  readonly id: string
  readonly kind: ExtensionKind
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly configUrl: string | null
  readonly fields: readonly FieldDefinition[]
  readonly calls: readonly ExtensionCall[]
  /** Answers are shown, but not stored as offers. */
  readonly noStore: boolean
  /** Whether an import asks for the vendor whose offers it imports. */
  readonly mapToVendor: boolean
  /** For display only, since a run names products of catalogs. */
  readonly allowAdHocItems: boolean
}

/** An installation as its extension's functions see it, with protected values in clear. */
export interface OpenInstallation {
  readonly id: string
  /** The organization that installed it. */
  readonly organization: string
  readonly vendor: string | null
  readonly vendors: Vendors
  readonly catalog: string | null
  /** Its nickname, else its extension's name. */
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
}

/** The identity of a product as sent to extensions. */
export interface ProductIdentity
  extends Pick<
    Product,
    'id' | 'catalog' | 'manufacturer' | 'manufacturerPartNumber' | 'upcs' | 'name'
  > {
  /** The part number of the installation's vendor, if the product has an offer of that vendor. */
  readonly vendorPartNumber: string | null
}

/**
 * One call of an extension. `ctx.signal` aborts it. Functions throw Failures with a message for
 * users.
 */
export interface Call<Request> {
  readonly ctx: Context
  readonly installed: OpenInstallation
  readonly request: Request
}

export interface RunRequest {
  /** Values of this run, in addition to those of the installation. */
  readonly additionalFields: Readonly<Record<string, string>>
  readonly products: readonly ProductIdentity[]
  /** Id of the workspace. */
  readonly workspace: string | null
}

export interface OptionsRequest extends Readonly<ExtensionOptionsRequest> {
  readonly field: string
}

export type Problem = z.infer<typeof ProblemSchema>
export type Preview = z.infer<typeof PreviewSchema>
export type Sample = z.infer<typeof SampleSchema>

export interface Validation {
  readonly problems: readonly Problem[]
  /** Present for an import whose file could be read. */
  readonly preview?: Preview
}

interface ExtensionBase<Kind extends ExtensionKind> {
  readonly manifest: Manifest & { readonly kind: Kind }
  /** The time of its last registration; absent for a built-in one. */
  readonly registered?: string
  /** The origin of a registered extension's calls. */
  readonly origin?: string
  /** Whether its calls went to another address before. */
  readonly moved?: boolean
  /** Validates what only the extension can see, such as a refused password or a missing column. */
  validate?(call: Call<{ readonly mappings: readonly Mapping[] }>): Promise<Validation>
  options?(call: Call<OptionsRequest>): Promise<ExtensionOptionsResponse>
}

/**
 * Stock and price of one vendor. Items are matched by vendorPartNumber, else by
 * manufacturerPartNumber.
 */
interface RealtimeExtension extends ExtensionBase<'realtime'> {
  run(call: Call<RunRequest>): Promise<RealtimeResponse>
}

/** Recommends products for products, a workspace or a list. */
export interface RecommendationExtension extends ExtensionBase<'recommendation'> {
  run(call: Call<RunRequest>): Promise<RecommendationResponse>
}

/** Exports products to another system. */
export interface ExportExtension extends ExtensionBase<'export'> {
  run(call: Call<RunRequest>): Promise<ExtensionRunResponse>
  links?(call: Call<{ products: readonly ProductIdentity[] }>): Promise<ExtensionLinksResponse>
  possibleMatches?(call: Call<RunRequest>): Promise<PossibleMatchesResponse>
}

/** The rows of an import: fields of an ImportQueueRequest, or the products themselves. */
export interface ImportSource {
  readonly request: Readonly<Record<string, unknown>>
  /** JSON lines, one product each. Must be read, or closed by `return`. */
  readonly lines?: AsyncGenerator<Uint8Array>
}

/** Imports products from another system. */
export interface ImportExtension extends ExtensionBase<'import'> {
  /**
   * `request` has the fields of an ImportQueueRequest that locate the file and say how to read it.
   */
  sample?(call: Call<Readonly<Record<string, unknown>>>): Promise<Sample>
  run(call: Call<null>): Promise<ImportSource>
}

export type AnyExtension =
  | RealtimeExtension
  | RecommendationExtension
  | ExportExtension
  | ImportExtension

/** The extension of one kind. */
export type ExtensionOf<Kind extends ExtensionKind> = Extract<
  AnyExtension,
  { readonly manifest: { readonly kind: Kind } }
>
