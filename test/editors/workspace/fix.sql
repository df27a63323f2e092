CREATE FUNCTION count_once(p_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop_order SET turns = turns + 1 WHERE id = p_id;
EXCEPTION WHEN OTHERS THEN
  RAISE;
END $$;
