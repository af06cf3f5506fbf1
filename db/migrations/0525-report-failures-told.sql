-- Whoever has a scheduled report hears of a run that failed once, until one is sent again or they change it.
ALTER TABLE report_schedules ADD COLUMN failure_told boolean NOT NULL DEFAULT false;
