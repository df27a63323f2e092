CREATE TABLE shop_order (id int PRIMARY KEY, turns int NOT NULL DEFAULT 0);

CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM log_change(NEW.id);
  RETURN NEW;
END $$;

CREATE TRIGGER audit_order AFTER INSERT ON shop_order
  FOR EACH ROW EXECUTE FUNCTION audit();
