const MIB = 1024 * 1024

/** Limits of what clients, organizations and an instance have under way: part of `limits`. */
export const loadLimits = {
  /** Bytes of request bodies that an instance holds, and those of one organization. */
  heldBodyBytes: 96 * MIB,
  organizationBodyBytes: 8 * MIB,
  /** Bytes of a request body from which on it counts for that, and of a remote extension's answer. */
  smallBodyBytes: 16 * 1024,
  /** Bytes of answers of remote extensions that an instance holds, and those of one organization. */
  heldAnswerBytes: 32 * MIB,
  organizationAnswerBytes: 8 * MIB,
  /** Bytes of a request's headers, its first line included. */
  headerBytes: 16 * 1024,
  /** Milliseconds in which a request's headers must have arrived. */
  headersMs: 10_000,
  /** Milliseconds for which a connection is kept between two requests; longer than most proxies do. */
  keepAliveMs: 65_000,
  /** Milliseconds after which a connection ends on which nothing moves in either direction. */
  silentMs: 40_000,
  /** Connections of an instance; when there are more, the least useful one ends. */
  connections: 4_096,
  /** Connections of one address, a trusted proxy's aside. */
  connectionsByAddress: 512,
  /** Milliseconds for which a connection is not asked to make room. */
  connectionGraceMs: 1_000,
  /** Requests that wait on a connection for the answer of an earlier one. */
  connectionRequests: 32,
  /** Bytes of answers that clients leave unread; beyond, the slowest connections end. */
  unreadBytes: 256 * MIB,
  /** Refused as no sound HTTP, of one address a second; beyond, its new connections are refused. */
  malformedByAddress: 20,
  /** Entries of X-Forwarded-For that are looked at, the last. */
  forwardedAddresses: 16,
  /** Seconds of a rate that may come at once. */
  rateSeconds: 2,
  /** Addresses, and keys, whose rates an instance remembers, each; the longest silent give way. */
  rateOwners: 20_000,
  /** Requests that a body without a key counts as. */
  rateOfBody: 20,
  /** Further requests that one with a key that is not valid counts as. */
  rateOfFailure: 20,
  /** Bytes of an answer that count as a further request. */
  rateOfAnswerBytes: 64 * 1024,
  /** Places of an instance for operations under way, unless REQUEST_PLACES says otherwise. */
  requestPlaces: 32,
  /** Milliseconds after the last request of another organization in which each has a smaller share. */
  sharingMs: 5_000,
  /** Places of a batch of an import: three fill the share of who is alone, one that of who is not. */
  batchPlaces: 8,
  /** Bytes of a request body that count as a further place, and how many places they count as at most. */
  placeBytes: 64 * 1024,
  bodyPlaces: 8,
  /**
   * Milliseconds of processor time for an organization, while one of its requests has a place, from
   * which on it rests afterwards: as long, `restMs` at most.
   */
  heavyMs: 20,
  restMs: 300,
  /** Requests of an instance that wait for a place, and those of one organization. */
  requestsWaiting: 2_048,
  organizationWaiting: 256,
  /** Milliseconds that a request waits for a place at most; then it is answered 429. */
  requestWaitMs: 2_000,
  /** Bytes of the documents of one answer. */
  answerBytes: 12 * MIB,
  /** Bytes of the names and values that one search counts. */
  countedBytes: 4 * MIB,
  /** Documents, and bytes of them, that one call to Elasticsearch reads by their ids. */
  readDocuments: 25,
  /** Documents that it reads where the last ones were small. */
  readSmallDocuments: 50,
  readBytes: MIB,
  /** Reads of an instance at once of documents that are not known to be small. */
  largeReads: 2,
  /** Requests of an organization that wait for that; one more is answered 429. */
  largeReadsWaiting: 2,
  /** Milliseconds that such a read waits; a request ends before. */
  largeReadWaitMs: 60_000,
  /** Milliseconds after which a read that has no answer asks a further node, where there are several. */
  furtherTryMs: 400,
  /** Such reads of an instance at once, while a node seems to be away. */
  furtherTries: 8,
  /** The same while all answer: a slow cluster is not asked for everything twice. */
  slowTries: 2,
  /** Bytes of one answer of Elasticsearch; a larger one is broken off. */
  elasticAnswerBytes: 256 * MIB,
  /** Times in a row that whoever runs a task may fall silent before it is given up. */
  taskAttempts: 3,
  /** Milliseconds for which a task that waits for another system keeps its slot from others. */
  taskSlotReleaseMs: 2_000,
  /** Tasks that an instance holds for each of its slots, those included that wait for other systems. */
  tasksHeldPerSlot: 4,
  /** Milliseconds for which a task may keep the service from everything else. */
  taskStallMs: 5_000,
} as const
