-- Which lease it is, like in jobs and vectorization_runs.
alter table mails add column leased_by uuid;
