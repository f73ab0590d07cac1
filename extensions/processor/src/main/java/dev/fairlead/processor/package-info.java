/**
 * The annotation processor: methods with the annotations of {@code dev.fairlead.server.annotation}
 * become declarations of features.
 *
 * <p>{@link dev.fairlead.processor.FeatureProcessor} is named by its compiler and has no API. Class
 * by class, the annotated methods are read ({@code ClassReader}), the types they use checked
 * ({@code TypeReader}), and the declarations written ({@code ClassWriter}). The result for a class
 * follows from its own source alone, so that compilers can work incrementally.
 */
@NullMarked
package dev.fairlead.processor;

import org.jspecify.annotations.NullMarked;
