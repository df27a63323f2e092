CREATE FUNCTION import_orders() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..5000 LOOP
    INSERT INTO shop_order (id) VALUES (i);
  END LOOP;
END $$;
