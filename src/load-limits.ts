const MIB = 1024 * 1024

/** Limits of what clients, organizations and an instance have under way: part of `limits`. */
export const loadLimits = {
  /** Bytes of request bodies that an instance holds, and those of one organization. */
  heldBodyBytes: 96 * MIB,
  organizationBodyBytes: 8 * MIB,
  /** Bytes from which a request body, or an answer of a remote extension, counts for this. */
  smallBodyBytes: 16 * 1024,
  /** Bytes of answers of remote extensions that an instance holds, and those of one organization. */
  heldAnswerBytes: 32 * MIB,
  organizationAnswerBytes: 8 * MIB,
  /** Bytes of TLS records without data accepted from another system, mostly certificates. */
  handshakeBytes: 16 * 1024,
  /** Bytes of a request's headers, its first line included. */
  headerBytes: 16 * 1024,
  /** Milliseconds in which a request's headers must have arrived. */
  headersMs: 10_000,
  /** Milliseconds for which an idle connection is kept; longer than most proxies do. */
  keepAliveMs: 65_000,
  /** Milliseconds without traffic in either direction after which a connection is closed. */
  silentMs: 40_000,
  /** Connections of an instance. When there are more, the least useful one is closed. */
  connections: 4_096,
  /** Connections of one address, unless it is a trusted proxy. */
  connectionsByAddress: 512,
  /** Milliseconds in one state before a connection may have to make room for another. */
  connectionGraceMs: 1_000,
  /** Requests that wait on a connection for the answer of an earlier one. */
  connectionRequests: 4,
  /** Bytes of answers that clients leave unread. Beyond, the slowest connections are closed. */
  unreadBytes: 256 * MIB,
  /** Malformed requests of one address per second. Beyond, its new connections are refused. */
  malformedByAddress: 20,
  /** Last entries of X-Forwarded-For that are considered. */
  forwardedAddresses: 16,
  /** The burst of a rate: its seconds that may be used at once. */
  rateSeconds: 2,
  /** Addresses, and as many keys, whose rates an instance remembers; the longest idle go first. */
  rateOwners: 20_000,
  /** Requests that a body without a key counts as. */
  rateOfBody: 20,
  /** Further requests that one with an invalid key counts as, or for an organization not reached. */
  rateOfFailure: 20,
  /** Bytes of an answer that count as a further request. */
  rateOfAnswerBytes: 64 * 1024,
  /** Emails per hour that an instance sends for an organization and its sub-organizations. */
  mailsPerHour: 100,
  /** Places of an instance for operations under way, unless REQUEST_PLACES says otherwise. */
  requestPlaces: 32,
  /** Milliseconds after a request of another organization in which each has a smaller share. */
  sharingMs: 5_000,
  /**
   * Places of an import batch. An organization can run three batches at once while no other one is
   * active, and one batch otherwise.
   */
  batchPlaces: 8,
  /** Rows in a batch of an import while others are active. */
  sharedBatchRows: 100,
  /** Milliseconds that a family rests for each one of background work, while others are active. */
  backgroundRest: 3,
  /** Bytes of a request body that cost one more place, and the most places added this way. */
  placeBytes: 64 * 1024,
  bodyPlaces: 8,
  /** An organization rests for 1 ms per this many bytes of a large body, up to `restMs`. */
  restBytes: 32 * 1024,
  /**
   * Milliseconds of processor time during a request, or of several beyond a quarter of the time,
   * from which its organization rests afterwards, for as long as that, up to `restMs`.
   */
  heavyMs: 20,
  restMs: 300,
  /** Milliseconds of searching in Elasticsearch that need no rest. */
  lightSearchMs: 100,
  /** Maximum milliseconds of a rest after searches, or after a batch of an import. */
  longRestMs: 1_000,
  /** Requests of an instance that wait for a place, and those of one organization. */
  requestsWaiting: 2_048,
  organizationWaiting: 256,
  /** Milliseconds that a request waits for a place before it is answered 429. */
  requestWaitMs: 2_000,
  /** Bytes of the documents of one answer, and of those of Search Many with what they count. */
  answerBytes: 12 * MIB,
  /** Characters of the names of an organization's users and of its configurations. */
  organizationCharacters: MIB / 2,
  /** Characters of the entries of one page of the search history. */
  historyBytes: MIB,
  /** Bytes of the names and values that one search counts, and of the paths of its tree. */
  countedBytes: 4 * MIB,
  /** Documents, and bytes of them, that one call to Elasticsearch reads by their ids. */
  readDocuments: 25,
  /** Documents that such a call reads if the last ones were small. */
  readSmallDocuments: 50,
  readBytes: MIB,
  /** Concurrent reads of an instance whose documents are not known to be small. */
  largeReads: 2,
  /** Requests of an organization that wait for that; one more is answered 429. */
  largeReadsWaiting: 2,
  /** Milliseconds that such a read waits, unless its request ends before. */
  largeReadWaitMs: 60_000,
  /** Milliseconds after which a read without an answer asks another node, if there are several. */
  furtherTryMs: 400,
  /** Concurrent reads of an instance that ask another node, while one seems unavailable. */
  furtherTries: 8,
  /** The same while all nodes answer, so that a slow cluster does not get every request twice. */
  slowTries: 2,
  /** Bytes of one answer of Elasticsearch. A larger one is aborted. */
  elasticAnswerBytes: 256 * MIB,
  /** Consecutive times that the holder of a task may fall silent before the task is given up. */
  taskAttempts: 3,
  /** Milliseconds for which a task that waits for another system keeps its slot. */
  taskSlotReleaseMs: 2_000,
  /** Tasks that an instance holds per slot, including those that wait for other systems. */
  tasksHeldPerSlot: 4,
  /** Milliseconds for which a task may block the event loop. */
  taskStallMs: 5_000,
  /** MiB of the heap of a thread that reads a file. */
  threadHeapMib: 256,
  /** MiB of its buffers, which are not part of the heap. */
  threadBufferMib: 384,
  /** Milliseconds that the next rows of a file may take, a thousand times as long as usual. */
  fileRowsMs: 60_000,
  /** Milliseconds for reading a whole file, besides four seconds for each MiB. */
  fileMs: 60 * 60 * 1000,
  /** Files that requests read at the same time, such as samples. */
  readFiles: 2,
  /** Files that wait for that, in total and of one organization. */
  filesWaiting: 64,
  filesWaitingOfOwner: 8,
} as const
