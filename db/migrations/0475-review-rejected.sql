-- A rejection is told under a kind of its own, which is written by mail as well. Who wanted to hear of reviews still does.
UPDATE webhook_endpoints SET kinds = kinds || '["review_rejected"]'::jsonb
WHERE kinds ? 'review_decided' AND NOT kinds ? 'review_rejected';
UPDATE notification_settings SET ways = ways || jsonb_build_object('review_rejected', ways -> 'review_decided')
WHERE ways ? 'review_decided' AND NOT ways ? 'review_rejected';
