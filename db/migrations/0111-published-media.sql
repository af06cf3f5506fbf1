-- Whether an asset may be loaded by anybody is asked by its name: the folder and 32 digits that all
-- files of one asset begin with.
CREATE INDEX media_name ON media (left(path, 35));
