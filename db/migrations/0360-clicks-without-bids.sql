-- A click was found by its bid on one page of the operators alone; its events name it too. The index was one of
-- four that a click is entered into when it comes, when it is verified and when it is settled.
DROP INDEX clicks_bid;
