-- What a search looks through: the stored and the original name, folded by us (lib/search-text.ts), because the engines'
-- own folding differs beyond ASCII. Rows from before are filled by fill-search-text.ts in the same transaction.
ALTER TABLE files ADD COLUMN search_text text COLLATE "binary" NOT NULL DEFAULT '';
