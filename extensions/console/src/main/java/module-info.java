/** A console in the browser: people watch a running server, and try servers. */
module dev.fairlead.console {
    requires transitive dev.fairlead.client;
    requires transitive dev.fairlead.http;
    requires java.logging;
    requires static transitive org.jspecify;

    exports dev.fairlead.console;
    exports dev.fairlead.console.spi;
}
