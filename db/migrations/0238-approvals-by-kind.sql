-- What operators narrow the lists of approvals and of terms by.
CREATE INDEX approvals_kind ON approvals (kind, id DESC);
CREATE INDEX money_terms_status ON money_terms (status, effective_from DESC, id DESC);
CREATE INDEX money_terms_publisher ON money_terms (publisher_id, effective_from DESC, id DESC);
CREATE INDEX money_terms_country ON money_terms (country, effective_from DESC, id DESC);
