-- Documents are PDFs as well. Those that were issued before have none.
ALTER TABLE document_files DROP CONSTRAINT document_files_format_check,
  ADD CONSTRAINT document_files_format_check CHECK (format IN ('CSV', 'PDF', 'MANIFEST'));
