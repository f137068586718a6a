-- The time that trials take, and who cancelled one.

-- When the last trial of a version began, in milliseconds since 1970, and how long it took. NULL: none did.
ALTER TABLE submissions ADD COLUMN began_ms INTEGER;
ALTER TABLE submissions ADD COLUMN took_ms INTEGER;

-- Who cancelled the version. Its state is then 'superseded', and its reason says why.
ALTER TABLE submissions ADD COLUMN cancelled_by INTEGER REFERENCES people(id);
