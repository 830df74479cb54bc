-- What processes shared to hold limits together, and batches of hits that nodes for public links have sent.
DROP TABLE IF EXISTS live_processes;
DROP TABLE IF EXISTS live_notes;
DROP TABLE IF EXISTS live_slots;
DROP TABLE IF EXISTS hit_journals;
