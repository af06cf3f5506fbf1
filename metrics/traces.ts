import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';

/**
 * Sends spans to the collector of OTEL_EXPORTER_OTLP_ENDPOINT; the other variables of OpenTelemetry (headers,
 * sampler, limits) are heeded by its own SDK. Loaded only where that is set, so that elsewhere no span is ever
 * made. A collector that is away costs spans and nothing else.
 */
export function exportTraces(service: string, log: Logger): { close(): Promise<void> } {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'adplatform',
      'service.name': service,
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return {
    close: async () => {
      await provider.shutdown().catch((error: unknown) => {
        log.warn({ err: error }, 'the last spans were not taken');
      });
    },
  };
}
