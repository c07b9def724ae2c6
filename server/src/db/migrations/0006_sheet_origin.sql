-- The page that a sheet was made on. It cannot be read from the outcomes: a file that replaces the rows may have none.
-- The default is for servers of the last release that may still run, and know nothing of the column.
alter table sheets add column origin text not null default 'source_import'
  check (origin in ('source_import', 'source_management'));
update sheets set origin = 'source_management' where outcomes is null and title not like 'Source import of %';
