/** A scripted raw peer, an adjustable clock and contract suites for transports. */
module dev.fairlead.testing {
    requires transitive dev.fairlead.client;
    requires transitive dev.fairlead.server;
    requires dev.fairlead.peer;
    requires static dev.fairlead.requirements;
    requires static transitive org.jspecify;
    requires static org.junit.jupiter.api;

    exports dev.fairlead.testing;
}
