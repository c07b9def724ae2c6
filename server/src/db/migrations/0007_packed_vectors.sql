-- The values of a vector as little-endian float4, for reading: PostgreSQL sends a real[] value by value, which takes several
-- times as long. Null where pgvector compares, and for vectors that an earlier release has written.
alter table story_vectors add packed bytea;
