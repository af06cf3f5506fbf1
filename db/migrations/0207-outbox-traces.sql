-- The trace of whoever wrote a message (W3C traceparent), so that it goes on where the message is delivered; null:
-- nobody traces.
ALTER TABLE outbox ADD COLUMN trace text CHECK (trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
