import { setTimeout as after } from 'node:timers/promises'
import {
  type Context,
  DiagLogLevel,
  defaultTextMapSetter,
  diag,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from './log.ts'
import type { OpenSpan, SpanFacts, Tracing } from './tracing.ts'

export interface TracingSettings {
  /** An OTLP/HTTP receiver; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  readonly serviceName: string
  /** The fraction of the traces begun here that is sent, from 0 to 1. */
  readonly ratio: number
  readonly log: Log
}

const STOP_MS = 2_000

const propagator = new W3CTraceContextPropagator()
const ofHeaders: TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
}

const contextIn = (headers: Headers): Context =>
  propagator.extract(ROOT_CONTEXT, headers, ofHeaders)

/**
 * Traces with the OpenTelemetry SDK. Spans that the receiver refuses, or beyond 2,048 in memory,
 * are dropped: nothing waits for them.
 */
export function createTracing({ endpoint, serviceName, ratio, log }: TracingSettings): Tracing {
  const failed = (detail: string) =>
    log.warn({ detail: detail.slice(0, 300) }, 'traces were not exported')
  setGlobalErrorHandler((error) =>
    failed(typeof error === 'string' ? error : String(error.message)),
  )
  const tell = { debug() {}, info() {}, verbose() {}, warn: failed, error: failed }
  diag.setLogger(tell, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }),
      }),
    ],
  })
  const tracer = provider.getTracer('aisle')
  const contexts = new WeakMap<OpenSpan, Context>()

  function begin(
    name: string,
    { kind, links = [] }: { readonly kind: SpanKind; readonly links?: Link[] },
    facts: SpanFacts,
    parent: Context = ROOT_CONTEXT,
  ): OpenSpan {
    const span = tracer.startSpan(name, { kind, links, attributes: facts }, parent)
    const context = trace.setSpan(parent, span)
    const headers: Record<string, string> = {}
    propagator.inject(context, headers, defaultTextMapSetter)
    const open = { traceId: span.spanContext().traceId, headers, end: ending(span) }
    contexts.set(open, context)
    return open
  }

  return {
    request: (name, headers, facts) =>
      begin(name, { kind: SpanKind.SERVER }, facts, contextIn(headers)),
    call: (name, facts, parent) =>
      begin(name, { kind: SpanKind.CLIENT }, facts, parent && contexts.get(parent)),
    work(name, facts, traceparent) {
      const cause = traceparent && trace.getSpanContext(contextIn(new Headers({ traceparent })))
      const links = cause ? [{ context: cause }] : []
      return begin(name, { kind: SpanKind.INTERNAL, links }, facts)
    },
    async stop() {
      await Promise.race([provider.shutdown(), after(STOP_MS, undefined, { ref: false })])
    },
  }
}

const ending = (span: Span) => (facts: SpanFacts, hasFailed: boolean) => {
  span.setAttributes(facts)
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
