package dev.fairlead.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** What all measurements share. */
final class Bench implements AutoCloseable {
    private final Options options;
    private final Places places;
    private final Report report;

    Bench(Options options, Report report) throws IOException {
        this.options = options;
        this.places = new Places(options.postgres());
        this.report = report;
    }

    Set<StoreKind> stores() {
        return options.stores();
    }

    List<StoreKind> durableStores() {
        return options.stores().stream().filter(StoreKind::isDurable).toList();
    }

    boolean isQuick() {
        return options.quick();
    }

    /** One of two figures, as it is to be quick or not. */
    int either(int quick, int full) {
        return options.quick() ? quick : full;
    }

    /** The URL of a new and empty store. */
    String place(StoreKind kind) throws IOException, SQLException {
        return places.fresh(kind);
    }

    Report report() {
        return report;
    }

    @Override
    public void close() throws IOException {
        places.close();
    }
}
