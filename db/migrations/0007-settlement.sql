-- Which conversion an event stands for, so that the books can hold each to one charge.
ALTER TABLE events ADD COLUMN conversion_id bigint;
