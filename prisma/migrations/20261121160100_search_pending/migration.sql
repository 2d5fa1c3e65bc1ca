-- Entries of new texts wait in a list and are put into the index many at a time: a thousand texts took six times as long
-- one by one. The list is emptied behind each batch, and every two seconds, so that searches find it short or empty.
ALTER INDEX "link_search_grams" SET (fastupdate = on);
