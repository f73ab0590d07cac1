package dev.fairlead.showcase.tour;

import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonName;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The stations of the night trains, with their place on the map in degrees. */
@Doc("A station of the night trains")
enum Station {
    @JsonName("Amsterdam")
    AMSTERDAM("Amsterdam", 52.38, 4.90),
    @JsonName("Berlin")
    BERLIN("Berlin", 52.53, 13.37),
    @JsonName("Brussels")
    BRUSSELS("Brussels", 50.84, 4.34),
    @JsonName("Budapest")
    BUDAPEST("Budapest", 47.50, 19.08),
    @JsonName("Copenhagen")
    COPENHAGEN("Copenhagen", 55.67, 12.56),
    @JsonName("Hamburg")
    HAMBURG("Hamburg", 53.55, 10.01),
    @JsonName("Innsbruck")
    INNSBRUCK("Innsbruck", 47.26, 11.40),
    @JsonName("Milan")
    MILAN("Milan", 45.49, 9.20),
    @JsonName("Munich")
    MUNICH("Munich", 48.14, 11.56),
    @JsonName("Paris")
    PARIS("Paris", 48.84, 2.37),
    @JsonName("Prague")
    PRAGUE("Prague", 50.08, 14.44),
    @JsonName("Rome")
    ROME("Rome", 41.90, 12.50),
    @JsonName("Stockholm")
    STOCKHOLM("Stockholm", 59.33, 18.06),
    @JsonName("Venice")
    VENICE("Venice", 45.44, 12.32),
    @JsonName("Vienna")
    VIENNA("Vienna", 48.19, 16.38),
    @JsonName("Warsaw")
    WARSAW("Warsaw", 52.23, 21.00),
    @JsonName("Zurich")
    ZURICH("Zurich", 47.38, 8.54);

    private static final double EARTH_RADIUS_KM = 6371;

    private final String title;
    private final double latitude;
    private final double longitude;

    Station(String title, double latitude, double longitude) {
        this.title = title;
        this.latitude = latitude;
        this.longitude = longitude;
    }

    String title() {
        return title;
    }

    double latitude() {
        return latitude;
    }

    double longitude() {
        return longitude;
    }

    /** The distance as the crow flies. */
    double kilometresTo(Station other) {
        double north = Math.toRadians(other.latitude - latitude) / 2;
        double east = Math.toRadians(other.longitude - longitude) / 2;
        double chord =
                Math.pow(Math.sin(north), 2)
                        + Math.cos(Math.toRadians(latitude))
                                * Math.cos(Math.toRadians(other.latitude))
                                * Math.pow(Math.sin(east), 2);
        return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(chord));
    }

    /** The names that begin with a text, in any case. */
    static List<String> startingWith(String typed) {
        return Arrays.stream(values())
                .map(Station::title)
                .filter(
                        name ->
                                name.toLowerCase(Locale.ROOT)
                                        .startsWith(typed.toLowerCase(Locale.ROOT)))
                .toList();
    }
}
