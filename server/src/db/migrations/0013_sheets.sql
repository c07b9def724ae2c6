-- The import that created a sheet is found by the address of the sheet, which may be a path or below any public URL.
create index imports_of_created_sheet on imports
  ((substring(created_sheet_url from '/sheets/([1-9][0-9]{0,8})$')::integer), id) where created_sheet_url is not null;

create index sheets_search on sheets using gin (lower(title) gin_trgm_ops);
create index sheets_by_change on sheets (updated_at) where deleted_at is null;
