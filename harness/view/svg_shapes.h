// The few SVG shapes that pictures here use. Text is escaped; colours are classes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace locklab {

/// For text, and for attributes in double quotes.
std::string xml_escaped(std::string_view text);

/// Shapes, later ones drawn over earlier ones. Sizes are in pixels.
class SvgShapes {
public:
    /// What is drawn until end_step() belongs to this step. Steps do not nest.
    void begin_step(std::string_view look, std::size_t step);
    void end_step() { out_ += "</g>\n"; }
    void rect(std::string_view look, int x, int y, int width, int height, int corner = 0);
    void line(std::string_view look, int x1, int y1, int x2, int y2);
    /// A line with an arrowhead at its end.
    void arrow(std::string_view look, int x1, int x2, int y);
    void circle(std::string_view look, int x, int y, int radius);
    void cross(std::string_view look, int x, int y, int reach);
    void polygon(std::string_view look, const std::string& points);
    void text(std::string_view look, int x, int y, std::string_view words);

    const std::string& markup() const { return out_; }

private:
    std::string out_;
};

}  // namespace locklab
