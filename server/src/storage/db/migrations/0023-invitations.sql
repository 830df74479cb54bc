-- Ways to sign up that an operator has opened: the link of the first owner, and invitations. Only a hash of the token in a
-- link is stored. `uses` counts the accounts that were made, up to `most_uses`. `verifies`: an account needs no code.
CREATE TABLE invitations (
  id text COLLATE "binary" PRIMARY KEY,
  token_hash text COLLATE "binary" NOT NULL UNIQUE,
  for_owner bigint NOT NULL,
  verifies bigint NOT NULL,
  level text COLLATE "binary" NOT NULL,
  uses bigint NOT NULL DEFAULT 0,
  most_uses bigint NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint
);

-- The invitation that an account was made with.
ALTER TABLE accounts ADD COLUMN invitation_id text COLLATE "binary";
CREATE INDEX accounts_by_invitation ON accounts (invitation_id) WHERE invitation_id IS NOT NULL;
