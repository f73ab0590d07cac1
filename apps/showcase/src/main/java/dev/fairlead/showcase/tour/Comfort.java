package dev.fairlead.showcase.tour;

import dev.fairlead.json.Doc;

/** The kinds of places in a night train. */
enum Comfort {
    @Doc("A seat")
    SEAT(0),
    @Doc("A couchette, six to a compartment")
    COUCHETTE(29),
    @Doc("A bed in a compartment of your own")
    SLEEPER(89);

    private final int surcharge;

    Comfort(int surcharge) {
        this.surcharge = surcharge;
    }

    /** In euros. */
    int surcharge() {
        return surcharge;
    }
}
