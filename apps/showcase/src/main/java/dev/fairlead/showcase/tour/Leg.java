package dev.fairlead.showcase.tour;

import dev.fairlead.json.Doc;

import java.time.LocalTime;

/** A part of a journey, on one train. */
record Leg(
        @Doc("Number of the train") String train,
        Station from,
        @Doc("Local time") LocalTime departs,
        Station to,
        @Doc("Local time") LocalTime arrives,
        int minutes,
        int kilometres) {}
