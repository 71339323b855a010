#include "harness/view/svg_shapes.h"

namespace locklab {

namespace {

std::string attribute(std::string_view name, int value) {
    return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

std::string opening(std::string_view element, std::string_view look) {
    return "<" + std::string(element) + " class=\"" + std::string(look) + "\"";
}

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

void SvgShapes::begin_step(std::string_view look, std::size_t step) {
    out_ += opening("g", look) + " data-step=\"" + std::to_string(step) + "\">\n";
}

void SvgShapes::rect(std::string_view look, int x, int y, int width, int height, int corner) {
    out_ += opening("rect", look) + attribute("x", x) + attribute("y", y) +
            attribute("width", width) + attribute("height", height);
    if (corner > 0) out_ += attribute("rx", corner);
    out_ += "/>\n";
}

void SvgShapes::line(std::string_view look, int x1, int y1, int x2, int y2) {
    out_ += opening("line", look) + attribute("x1", x1) + attribute("y1", y1) +
            attribute("x2", x2) + attribute("y2", y2) + "/>\n";
}

void SvgShapes::arrow(std::string_view look, int x1, int x2, int y) {
    const int back = x2 > x1 ? -8 : 8;
    line(look, x1, y, x2 + back / 2, y);
    const auto point = [](int px, int py) {
        return std::to_string(px) + "," + std::to_string(py) + " ";
    };
    polygon("head", point(x2, y) + point(x2 + back, y - 4) + point(x2 + back, y + 4));
}

void SvgShapes::circle(std::string_view look, int x, int y, int radius) {
    out_ += opening("circle", look) + attribute("cx", x) + attribute("cy", y) +
            attribute("r", radius) + "/>\n";
}

void SvgShapes::cross(std::string_view look, int x, int y, int reach) {
    line(look, x - reach, y - reach, x + reach, y + reach);
    line(look, x - reach, y + reach, x + reach, y - reach);
}

void SvgShapes::polygon(std::string_view look, const std::string& points) {
    out_ += opening("polygon", look) + " points=\"" +
            points.substr(0, points.find_last_not_of(' ') + 1) + "\"/>\n";
}

void SvgShapes::text(std::string_view look, int x, int y, std::string_view words) {
    out_ += opening("text", look) + attribute("x", x) + attribute("y", y) + ">" +
            xml_escaped(words) + "</text>\n";
}

}  // namespace locklab
