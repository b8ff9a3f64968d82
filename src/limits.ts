import { extensionLimits } from './extension-limits.ts'
import { loadLimits } from './load-limits.ts'
import { productLimits } from './product-limits.ts'
import { searchLimits } from './search-limits.ts'
import { signInLimits } from './sign-in-limits.ts'
import { tuningLimits } from './tuning-limits.ts'
import { xmlLimits } from './xml-limits.ts'

const MIB = 1024 * 1024

/** The limits that callers of the interface notice, named once; docs/interface.md lists them. */
export const limits = {
  ...extensionLimits,
  ...loadLimits,
  ...productLimits,
  ...searchLimits,
  ...signInLimits,
  ...tuningLimits,
  ...xmlLimits,
  /** Bytes of a JSON request body. */
  bodyBytes: 2 * MIB,
  /** Bytes of a JSON request body of an operation that needs no key. */
  openBodyBytes: 64 * 1024,
  /** Values of such a body, including nested ones. */
  openBodyValues: 1_000,
  /** Pieces of a request body, or of an answer of another system, that may be of any size. */
  bodyPieces: 256,
  /** Minimum average size of further pieces in bytes. */
  bodyPieceBytes: 64,
  /** Nesting of a JSON request body. */
  jsonDepth: 32,
  /** Values of a JSON request body, including nested ones. */
  jsonValues: 200_000,
  /** Names of one object in a JSON request body. Objects with very many are slow to parse. */
  jsonNames: 5_000,
  idsPerRequest: 500,
  /** Newest points of a product that Get Insights returns. */
  insightPoints: 1_000,
  /** Bytes of an uploaded file. */
  fileBytes: 2 * 1024 * MIB,
  /** Bytes of all files that an organization keeps. */
  fileQuotaBytes: 10 * 1024 * MIB,
  /** Bytes that each file counts for besides its own: its record, and its part of the file system. */
  fileBaseBytes: 64 * 1024,
  /** Days until an upload or a rejects file expires. */
  fileDays: 7,
  /** Uploads under way per organization and instance. One more waits as requests do. */
  uploadsInFlight: 4,
  /** Milliseconds that an upload may be silent. */
  uploadIdleMs: 30_000,
  /** Queued tasks of an organization, not counting those that schedules queue. */
  queuedTasks: 1_000,
  /** Bytes of a task's input as JSON, such as mappings, criteria or changes. */
  taskInputBytes: 512 * 1024,
  /** Newest tasks that Get Tasks lists. */
  listedTasks: 200,
  /** Milliseconds that the download of an import file may take. */
  downloadMs: 2 * 60 * 60 * 1000,
  /** Milliseconds after which a download must have its minimum speed. */
  downloadGraceMs: 60_000,
  /** Minimum speed of a download, in bytes per second. */
  downloadBytesPerSecond: 64 * 1024,
  /** Bytes of an import file when unpacked. */
  importBytes: 16 * 1024 * MIB,
  /** Unpacked bytes of an import file per packed byte. */
  importRatio: 200,
  /** Entries of a zip archive. */
  zipEntries: 1_000,
  /** Bytes of the names of these entries, with the metadata beside them. */
  zipNameBytes: MIB,
  /** Bytes of one row of an import file. */
  importRowBytes: MIB,
  /** Columns of an import file. */
  importColumns: 2_000,
  /** Bytes of the footer of a Parquet file, and values in it. */
  parquetFooterBytes: 4 * MIB,
  parquetFooterValues: 1_000_000,
  /** Bytes held of a Parquet file at once, over all columns: unpacked pages, and what is read ahead. */
  parquetHeldBytes: 128 * MIB,
  /** Groups of a BMEcat catalog, and products in them. */
  catalogGroups: 100_000,
  groupedProducts: 3_000_000,
  /** Rows of a file that Get Import Sample shows. */
  sampleRows: 20,
  /** Characters of a value that Get Import Sample shows. */
  sampleValueLength: 200,
  /** Unpacked bytes of a file that Get Import Sample, and the trial of an import, read. */
  sampleBytes: MIB,
  /** Bytes of a remote file that these download. */
  sampleDownloadBytes: 4 * MIB,
  /** Rows that the trial of an import reads. */
  trialRows: 100,
  /** Milliseconds in which the receiver of a callback has to answer. */
  callbackMs: 15_000,
  /** Newest attempts that a callback lists. */
  callbackAttempts: 20,
  /** Maximum milliseconds of a Retry-After that are honored. */
  callbackRetryAfterMs: 8 * 60 * 60 * 1000,
  /** Days for which callbacks are listed. */
  callbackDays: 30,
  /** Milliseconds for which a callback secret still signs after the next one was created. */
  callbackSecretMs: 24 * 60 * 60 * 1000,
  /** Newest secrets that sign callbacks at the same time. */
  callbackSecrets: 4,
  /** Rejected rows that a rejects file lists; more are only counted. */
  listedRejects: 100_000,
  /** Facets, and filters, that have columns in a CSV export when none are named. */
  exportNames: 100,
  /** Products in a page that an export sends, unless its installation says otherwise. */
  exportPage: 100,
  /** Bytes of such a page, unless one product has more. */
  exportPageBytes: 4 * MIB,
  /** Items that Run Extension Possible Matches takes at once. */
  matchedItems: 25,
  /** Products that it returns for each item. */
  possibleMatches: 10,
  /** Fields of an extension, and values that a request gives for them. */
  extensionFields: 100,
  /** Characters of the value of an extension's field. */
  fieldValueLength: 64 * 1024,
  /** Bytes of a list that products are recommended for. */
  recommendationFileBytes: 5 * MIB,
  /** Lines of such a list. */
  recommendationLines: 1_000,
  /** Products for which similar ones, or ones bought together, are looked up at once. */
  recommendationProducts: 50,
  /** Products that are recommended for each of these. */
  recommendedProducts: 5,
  /** Products that one line of such a list may match. */
  recommendationMatches: 50,
  /** Products that a remote recommender may return at once. */
  remoteRecommendations: 1_000,
  /** Entries of a list in one answer of a remote extension. */
  remoteEntries: 5_000,
  /** Fields that an entry of the audit log lists; more are only counted. */
  auditFields: 50,
  /** Characters of the name of such a field, and of a target. */
  auditNameLength: 200,
  /** Characters of the value of such a field. */
  auditValueLength: 200,
  childOrganizations: 200,
  organizationCatalogs: 1_000,
  organizationUsers: 10_000,
  /** First users of an organization, which Get Organizations lists. */
  listedUsers: 100,
  organizationConfigurations: 100,
  /** Largest limit on users, catalogs or credits of an organization. */
  allowance: 1_000_000_000,
  /** Keys of one user in one organization that are neither disabled nor expired. */
  keysPerUser: 100,
  /** Newest keys that Get API Keys lists. */
  listedKeys: 10_000,
  /** Web origins of a search key. */
  keyOrigins: 20,
  /** Catalogs that a search key may be restricted to. */
  keyCatalogs: 100,
  /** Largest rate that a key may be limited to, in requests per second. */
  keyRate: 10_000,
  /** Characters of a signed key. Headers have 16 KiB together. */
  signedKeyLength: 4_096,
  /** Maximum seconds for which caches may keep answers to a search key. */
  cacheSeconds: 604_800,
  /** Workspaces of an organization, not counting those of punchout sessions. */
  workspaces: 1_000,
  /** Items of a workspace, and of Get Workspaces. */
  workspaceItems: 500,
  /** Bytes of all items of a workspace as JSON, with the texts stored of their products. */
  workspaceItemBytes: MIB,
  /** Largest quantity of a workspace item; the smallest is a thousandth. */
  workspaceQuantity: 1_000_000,
  /** Largest price of a workspace item. */
  workspacePrice: 1_000_000_000,
  /** Fields of extensions on a workspace. */
  workspaceFields: 1_000,
  /** Bytes of these fields together, as JSON. */
  workspaceFieldBytes: MIB,
  /** Milliseconds within which the token of a punchout session must be used. */
  punchoutTokenMs: 15 * 60 * 1000,
  /** Maximum milliseconds of a punchout session. */
  punchoutSessionMs: 2 * 60 * 60 * 1000,
  /** Punchout sessions of an organization that are not over yet. */
  punchoutSessions: 10_000,
  /** Saved searches of a user in an organization. */
  savedSearches: 100,
  /** Columns that a user saves for one page. */
  columns: 200,
  /** Pages for which a user saves columns. */
  columnPages: 50,
  /** Bytes of a user's saved searches, and of their saved columns, as JSON. */
  preferenceBytes: 256 * 1024,
  /** Milliseconds for which search credits are gathered for one write. */
  creditGatherMs: 3,
  /** Milliseconds after which a search that took a credit can no longer be answered. */
  creditHoldMs: 20_000,
  /** Usage entries that wait while they cannot be written; older ones are dropped. */
  usageQueue: 10_000,
  /** Pairs of user and key that Search Usage reads at once. */
  usageGroups: 1_000,
  /** Milliseconds that a request may take before it is answered 503. */
  requestMs: 2_500,
  /** Milliseconds that one Elasticsearch call may take. */
  elasticMs: 2_000,
  /** Milliseconds for which a key, organization or catalog is cached. */
  cacheMs: 2_000,
  /** Characters of cached names of catalogs and of installed vendors; the oldest go first. */
  cachedCharacters: 32 * MIB,
  /** Milliseconds by which the clocks of an instance and of Elasticsearch may differ silently. */
  clockApartMs: 5_000,
  /** Milliseconds in which equal failures become one line of the log, with their number. */
  logRepeatMs: 60_000,
  /** Kinds of failures that are distinguished at a time. Further ones count as one kind. */
  loggedKinds: 1_000,
  /** Milliseconds for which a start waits for an Elasticsearch that is busy or unavailable. */
  startWaitMs: 60_000,
  /** Milliseconds after which no request writes into a deleted catalog any longer. */
  catalogRemovalMs: 10_000,
} as const
