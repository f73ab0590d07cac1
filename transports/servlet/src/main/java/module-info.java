/** A server in a servlet container. */
module dev.fairlead.servlet {
    requires transitive dev.fairlead.http;
    requires transitive dev.fairlead.server;
    requires static transitive jakarta.servlet; // of the container
    requires static transitive org.jspecify;

    exports dev.fairlead.servlet;
}
