"""Runs three inserts in one transaction for each connection string on standard input, and marks where each begins."""
import sys

import pyodbc

server = sys.argv[1]
for line in sys.stdin:
    name, _, string = line.rstrip("\n").partition(" ")
    autocommit = "autocommit=True" in string
    string = string.replace("autocommit=True", "")
    connection = pyodbc.connect(
        f"Driver={{PostgreSQL Unicode}};Server={server};Database=postgres;Uid=postgres;{string}",
        autocommit=True,
    )
    connection.execute("CREATE TABLE IF NOT EXISTS counted (id int)")
    connection.execute(f"SELECT 'begin {name}'").fetchall()
    connection.autocommit = autocommit
    for number in range(3):
        # A parameter makes it a prepared statement.
        if "prepared" in name:
            connection.cursor().execute("INSERT INTO counted VALUES (?)", number)
        else:
            connection.cursor().execute(f"INSERT INTO counted VALUES ({number})")
    if not autocommit:
        connection.commit()
    connection.autocommit = True
    connection.execute(f"SELECT 'end {name}'").fetchall()
    connection.close()
