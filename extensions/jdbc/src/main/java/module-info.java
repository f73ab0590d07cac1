/** Durable tasks, sessions and events on SQLite and PostgreSQL. */
module dev.fairlead.jdbc {
    exports dev.fairlead.jdbc;

    requires transitive dev.fairlead.tasks;
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires static org.checkerframework.checker.qual;
    requires com.zaxxer.hikari;
    requires com.github.kagkarlsson.scheduler;
    requires io.ebean.migration;
    requires org.postgresql.jdbc;
    requires org.xerial.sqlitejdbc;
}
