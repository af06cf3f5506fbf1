-- An operator takes back into review what was approved: it stops serving at once, and a person decides again.
ALTER TABLE reviews ADD COLUMN recalled_by bigint REFERENCES operators;
ALTER TABLE reviews ADD COLUMN recall_note text;
ALTER TABLE reviews ADD CONSTRAINT reviews_recall_is_whole CHECK ((recalled_by IS NULL) = (recall_note IS NULL)) NOT VALID;
ALTER TABLE reviews VALIDATE CONSTRAINT reviews_recall_is_whole;
