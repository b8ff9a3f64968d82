/**
 * Attributes of a span, named by OpenTelemetry's conventions where those exist. Never credentials
 * or bodies.
 */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>

/** A span that has begun. */
export interface OpenSpan {
  readonly traceId: string
  /** The `traceparent` and `tracestate` headers for calls within the span. */
  readonly headers: Readonly<Record<string, string>>
  /** Call once, with the attributes known at the end. */
  end(facts: SpanFacts, failed: boolean): void
}

/** Starts spans. Absent where tracing is off. */
export interface Tracing {
  /** A span for answering a request; part of the sender's trace when its headers name one. */
  request(name: string, headers: Headers, facts: SpanFacts): OpenSpan
  /** A span for a call to another system: a child of `parent`, else a trace of its own. */
  call(name: string, facts: SpanFacts, parent?: OpenSpan): OpenSpan
  /** A trace for background work, linked to its cause by `traceparent`. */
  work(name: string, facts: SpanFacts, cause: string | undefined): OpenSpan
  /** Sends the ended spans; takes two seconds at most. */
  stop(): Promise<void>
}
